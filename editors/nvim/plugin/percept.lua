-- Filetypes, highlighting, the server, and the command :Percept. Loaded by Neovim itself.
if vim.g.loaded_percept then
  return
end
vim.g.loaded_percept = true

if vim.fn.has("nvim-0.11") == 0 then
  vim.notify("percept needs Neovim 0.11 or newer", vim.log.levels.WARN)
  return
end

require("percept").register()
