"""The stages of plugins (`overtrick.stages`), each after the stage of overtrick that it names."""

from dataclasses import fields, replace

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.plugins import After, Fault, Stage, explain, find
from overtrick.core.problems import concat_problems, report_faults


def list_stage_faults() -> tuple[Fault, ...]:
    """Return the stages that cannot be loaded."""
    return find("overtrick.stages").faults


def run_plugins(session: Session, after: After) -> Session:
    """Run the stages of plugins that follow a stage; report those that fail, and go without."""
    faults = []
    for name, plugin in find("overtrick.stages").loaded:
        stage = plugin if isinstance(plugin, Stage) else Stage(plugin)
        if stage.after != after:
            continue
        try:
            session = _checked(stage.run(session))
        except Exception as error:  # noqa: BLE001 - whatever another package does
            faults.append(Fault(f"overtrick.stages:{name}", explain(error)))
    if not faults:
        return session
    return replace(session, problems=concat_problems([session.problems, report_faults(faults)]))


def _checked(session: object) -> Session:
    """Return what a plugin returned, if it is a session whose frames have their columns."""
    if not isinstance(session, Session):
        raise TypeError(f"expected a Session, got {type(session).__name__}")
    for part in fields(Session):
        frame, blank = getattr(session, part.name), getattr(Session(), part.name)
        if isinstance(blank, pl.DataFrame) and any(
            frame.schema.get(name) != kind for name, kind in blank.schema.items()
        ):
            raise TypeError(f"the columns of {part.name} are not those of overtrick.core.frames")
    return session
