"""Prints what assistive programs see of Skein's window: one JSON object a line, parents before children."""

import json

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi

STATES = {
    "focusable": Atspi.StateType.FOCUSABLE,
    "focused": Atspi.StateType.FOCUSED,
    "checked": Atspi.StateType.CHECKED,
    "expanded": Atspi.StateType.EXPANDED,
    "selected": Atspi.StateType.SELECTED,
    "modal": Atspi.StateType.MODAL,
    "enabled": Atspi.StateType.ENABLED,
}


def walk(accessible, depth):
    # A part of the page may go away while it is read.
    try:
        states = accessible.get_state_set()
        shown = states.contains(Atspi.StateType.SHOWING)
        seen = {
            "depth": depth,
            # Renamed in AT-SPI 2.56.
            "role": accessible.get_role().value_nick.replace("push-button", "button"),
            "name": accessible.get_name() or "",
            "pageRole": (accessible.get_attributes() or {}).get("xml-roles", ""),
            "states": [name for name, state in STATES.items() if states.contains(state)],
        }
        children = [accessible.get_child_at_index(i) for i in range(accessible.get_child_count())]
    except gi.repository.GLib.Error:
        return
    if shown:
        print(json.dumps(seen))
    for child in children:
        if child is not None:
            walk(child, depth + 1)


desktop = Atspi.get_desktop(0)
for index in range(desktop.get_child_count()):
    application = desktop.get_child_at_index(index)
    if application is not None and (application.get_name() or "").lower() == "skein":
        walk(application, 0)
