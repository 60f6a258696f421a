-- Coverage in the margin: the number of times each rule fired in random matches, and the rules that never fired.
local asking = require("percept.asking")
local M = {}

local namespace = vim.api.nvim_create_namespace("percept.coverage")

local function clear(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  vim.b[buffer].percept_coverage = nil
end

local function paint(buffer, met)
  local uri = vim.uri_from_bufnr(buffer)
  for _, rule in ipairs(met.rules) do
    if rule.location.uri == uri then
      local text = rule.fired == 0 and "never" or tostring(rule.fired)
      vim.api.nvim_buf_set_extmark(buffer, namespace, rule.location.range.start.line, 0, {
        virt_text = { { ("%7s "):format(text), rule.fired == 0 and "DiagnosticWarn" or "LineNr" } },
        virt_text_pos = "right_align",
      })
      if type(rule.stuck) == "table" then
        vim.api.nvim_buf_set_extmark(buffer, namespace, rule.stuck.start.line, rule.stuck.start.character, {
          end_row = rule.stuck["end"].line, end_col = rule.stuck["end"].character, hl_group = "DiagnosticUnderlineWarn", strict = false,
          virt_text = { { "  never held here", "DiagnosticWarn" } }, virt_text_pos = "eol",
        })
      end
    end
  end
  vim.notify("Percept: " .. met.says)
  vim.b[buffer].percept_coverage = true
  -- The counts become invalid with the first edit.
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, { buffer = buffer, once = true, callback = function()
    clear(buffer)
  end })
end

--- Shows or hides the counts in the current buffer.
function M.toggle()
  local buffer = vim.api.nvim_get_current_buf()
  if vim.b[buffer].percept_coverage then
    clear(buffer)
    return
  end
  vim.notify("Percept: playing random matches ...   (:Percept stop)")
  local argument = { uri = vim.uri_from_bufnr(buffer) }
  asking.request({}, buffer, "percept.coverage", argument, function(problem, met)
    if problem or not met or met.refusals then
      local refusal = met and met.refusals and met.refusals[1]
      vim.notify("Percept: " .. (problem or refusal and refusal.message or "no answer"), vim.log.levels.WARN)
    elseif vim.api.nvim_buf_is_valid(buffer) then
      paint(buffer, met)
    end
  end, "Playing random matches")
end

return M
