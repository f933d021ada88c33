"""What a role does, without what it merely says about its reasons."""

from agents.pnr.role import Decided, Effect


def deeds(effects: list[Effect]) -> list[Effect]:
    """The effects without those of `Decided`, which tests of their own check."""
    return [effect for effect in effects if not isinstance(effect, Decided)]
