-- What `vim.lsp.enable("percept")` starts.
return require("percept.config").lsp()
