"""The compiler: planner, workspace, slicer, pack builder, token budgeter, and what renders and checks packs."""
