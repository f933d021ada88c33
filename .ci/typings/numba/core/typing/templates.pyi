from typing import Any

class _OverloadFunctionTemplate:
    _get_impl: Any
