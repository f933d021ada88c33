// Elements of pages. What comes from a design is text, and never markup.

/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** An element with these properties, and with texts and elements in it. */
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
