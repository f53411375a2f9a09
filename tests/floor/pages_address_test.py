"""Addresses of pages: free, in use, invalid or none; with and without TLS."""

import json
import ssl
import unittest
import urllib.request

import bad_input_test
import floor_process
from floor_process import FREE_PAGES


class PagesAddress(bad_input_test.BadInput):
    def setUp(self):
        super().setUp()
        self.floor.init()

    def test_pages_over_tls_with_the_certificate_that_init_made(self):
        controller = self.floor.start_controller(web="https://127.0.0.1:0")
        url = controller.pages()
        self.assertTrue(url.startswith("https://127.0.0.1:"), url)
        trusting = ssl.create_default_context(cafile=self.floor.data / "keys/web.certificate")
        with urllib.request.urlopen(url + "/api/meters", context=trusting) as answer:
            self.assertEqual(200, answer.status)
            self.assertTrue(json.load(answer)["links"])

    def test_addresses_in_use_invalid_or_none(self):
        first = self.floor.start_controller(web=FREE_PAGES)
        taken = first.pages()
        other = self.floor.folder / "other"
        self.floor.tool("init", "--floor", self.floor.file, "--data", other)
        self.floor.data = other

        def run(web, *options):
            controller = floor_process.Controller(self.floor.file, other, floor_process.FREE_PORT,
                                                  None, web, options)
            self.floor.processes.append(controller)
            controller.wait()
            return controller

        self.failed(run(taken), taken, "Address already in use")
        for wrong in ("http://0.0.0.0:0", "6059", "http://127.0.0.1", "http://house.example:1"):
            self.failed(run(wrong), "--web", wrong, code=2)
        self.failed(run(FREE_PAGES, "--key", "x"), "--certificate", code=2)
        self.failed(run("https://127.0.0.1:0", "--certificate", "nowhere", "--key", "nowhere"),
                    "nowhere", "cannot read")
        controller = self.floor.start_controller(web="none")
        self.assertIsNone(controller.pages())


if __name__ == "__main__":
    unittest.main()
