-- The configuration for `vim.lsp.enable("percept")`.
return require("percept.config").lsp()
