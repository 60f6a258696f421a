-- The settings of an author's own init.lua: the plugin on the runtimepath, and the program's name.
vim.opt.runtimepath:prepend(vim.env.WORK .. "/runtime")
vim.opt.runtimepath:append(vim.env.PLUGIN)
vim.o.swapfile = false
vim.o.termguicolors = true
vim.o.background = "dark"
vim.o.columns = 160
vim.o.lines = 50
require("percept").setup({ cmd = { vim.env.PERCEPT, "lsp" } })
vim.cmd("filetype plugin on")
