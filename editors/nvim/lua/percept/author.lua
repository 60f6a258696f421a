-- A new game, and the expectations of games: the program `percept` does the work.
local config = require("percept.config")
local M = {}

local function program()
  return config.lsp().cmd[1]
end

--- Creates a game, `name [like] [language]`, in the current folder, and opens it.
function M.new(arguments)
  local name = arguments[1]
  if not name then
    vim.notify("Percept new NAME [board|cards|hidden-move|one-player] [kif|hrf|pogddl]", vim.log.levels.ERROR)
    return
  end
  local line = { program(), "new", name, "--format", "json" }
  if arguments[2] then
    vim.list_extend(line, { "--like", arguments[2] })
  end
  if arguments[3] then
    vim.list_extend(line, { "--language", arguments[3] })
  end
  local done = vim.system(line, { text = true }):wait()
  if done.code ~= 0 then
    vim.notify(vim.trim(done.stderr), vim.log.levels.ERROR)
    return
  end
  vim.cmd.edit(vim.fn.fnameescape(vim.json.decode(done.stdout).game))
end

--- The failed expectations as entries of the quickfix list.
function M.entries(answer)
  local entries = {}
  for _, test in ipairs(answer.tests) do
    for _, it in ipairs(test.differences) do
      local text = ("%s: %s: expected %s, found %s"):format(test.name, it.key, it.expected, it.found)
      table.insert(entries, { filename = test.file, lnum = it.line, col = it.column, text = text, type = "E" })
    end
    if test.error then
      local text = ("%s: %s"):format(test.name, test.error)
      table.insert(entries, { filename = test.file, lnum = test.line, col = test.column, text = text, type = "E" })
    end
  end
  return entries
end

--- Runs the expectations at some paths (by default the current file's folder), and lists the failed ones.
function M.test(arguments)
  local line = { program(), "test", "--format", "json" }
  local here = vim.fn.expand("%:p:h")
  vim.list_extend(line, #arguments > 0 and arguments or { here ~= "" and here or "." })
  vim.notify("percept: testing ...")
  vim.system(line, { text = true }, function(done)
    vim.schedule(function()
      local ok, answer = pcall(vim.json.decode, done.stdout)
      if not ok then
        vim.notify(vim.trim(done.stderr), vim.log.levels.ERROR)
        return
      end
      local entries = M.entries(answer)
      vim.fn.setqflist({}, " ", { title = "percept test", items = entries })
      vim.notify(("percept: %d passed, %d failed"):format(answer.passed, answer.failed))
      if #entries > 0 then
        vim.cmd.copen()
      else
        vim.cmd.cclose()
      end
    end)
  end)
end

return M
