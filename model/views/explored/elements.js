// Elements of the page.

import { make } from "page/elements";

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with this class, and with texts and elements in it. */
export const html = (tag, className = "", ...children) => make(tag, className ? { className } : {}, ...children);

/** An SVG element with these attributes, and with texts and elements in it. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Give an element the color of a kind of message, on light paper and on dark. */
export function inColorOf(kind, element) {
  element.style.setProperty("--light", kind.light);
  element.style.setProperty("--dark", kind.dark);
  element.classList.add("colored");
  return element;
}
