from typing import Any

class BaseNativeLowering:
    run_pass: Any
