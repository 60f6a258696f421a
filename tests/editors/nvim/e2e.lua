-- Open a game, see the squiggle, hover, complete, rename, repair, format, step three rounds, ask for the verdict, jump
-- to the rule. Prints a line per step; the first failure ends with an error code.
local function fail(message)
  io.stderr:write("FAILED: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function ok(name)
  io.stdout:write("ok " .. name .. "\n")
end

local function expect(condition, name, detail)
  if not condition then
    fail(name .. (detail and (": " .. vim.inspect(detail)) or ""))
  end
  ok(name)
end

local function wait(condition, name)
  if not vim.wait(10000, condition, 5) then
    fail("waited in vain for " .. name)
  end
end

local function find(text)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return row, column - 1
    end
  end
  fail("no " .. text .. " in the buffer")
end

local function request(method, extra)
  local params = vim.lsp.util.make_position_params(0, vim.lsp.get_clients({ bufnr = 0 })[1].offset_encoding)
  params = vim.tbl_extend("force", params, extra or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 5000) or {}
  for _, answer in pairs(answers) do
    return answer.result, answer.err
  end
end

local function lines()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

-- Saves the contents of the window as text, and as a page in its colours, of which a browser makes a picture.
local function shot(name)
  vim.fn.writefile(vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.env.SCREENS .. "/" .. name .. ".txt")
  pcall(vim.cmd.packadd, "nvim.tohtml")
  local done, page = pcall(function()
    return require("tohtml").tohtml(0, { number_lines = false, font = { "DejaVu Sans Mono", "monospace" } })
  end)
  if not done then
    io.stdout:write("note: no picture of " .. name .. ": " .. tostring(page) .. "\n")
  else
    vim.fn.writefile(page, vim.env.WORK .. "/" .. name .. ".html")
  end
end

local function main()
  local begun = vim.uv.hrtime()
  vim.cmd.edit("coin.kif")
  expect(vim.bo.filetype == "gdl", "the filetype is gdl", vim.bo.filetype)
  wait(function() return #vim.lsp.get_clients({ bufnr = 0, name = "percept" }) == 1 end, "the server")
  ok("the server is attached")
  if #vim.api.nvim_get_runtime_file("parser/gdl.so", false) > 0 then
    expect(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil, "tree-sitter colours the text")
  end

  -- A slip: the fluent `fell` becomes `fel` in the rule that reads it.
  local row, column = find("(true (fell ?_any))")
  vim.api.nvim_buf_set_text(0, row - 1, column + 7, row - 1, column + 11, { "fel" })
  wait(function()
    return vim.iter(vim.diagnostic.get(0)):any(function(it) return it.lnum == row - 1 end)
  end, "the squiggle")
  local finding = vim.iter(vim.diagnostic.get(0)):find(function(it) return it.lnum == row - 1 end)
  expect(finding.col == column + 7 and finding.end_col == column + 10, "the squiggle is only under the slip", finding)
  io.stdout:write(("   %s [%s], %d ms after :edit\n"):format(finding.message, finding.code, (vim.uv.hrtime() - begun) / 1e6))

  shot("nvim-finding")

  -- Its repair.
  vim.api.nvim_win_set_cursor(0, { row, column + 8 })
  local range = { start = { line = row - 1, character = column + 8 }, ["end"] = { line = row - 1, character = column + 8 } }
  local actions = request("textDocument/codeAction", { range = range, context = { diagnostics = {} } }) or {}
  local repair = vim.iter(actions):find(function(it) return it.edit and vim.inspect(it.edit):find('"fell"') end)
  expect(repair ~= nil, "a repair is offered", actions)
  vim.lsp.util.apply_workspace_edit(repair.edit, "utf-8")
  wait(function() return #vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } }) == 0 end, "no more findings")
  ok("the repair repairs")

  -- Hover and completion.
  vim.api.nvim_win_set_cursor(0, { find("fell") })
  local hover = request("textDocument/hover")
  expect(hover and hover.contents.value:find("fluent"), "hover describes a fluent", hover)
  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, last, last, false, { "(<= (legal gu" })
  vim.api.nvim_win_set_cursor(0, { last + 1, 13 })
  local items = request("textDocument/completion")
  expect(vim.iter(items):any(function(it) return it.label == "guesser" end), "completion proposes the role", items)
  vim.api.nvim_buf_set_lines(0, last, last + 1, false, {})

  -- Rename, definition, format.
  vim.api.nvim_win_set_cursor(0, { find("fell") })
  local edit = request("textDocument/rename", { newName = "landed" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-8")
  expect(not lines():find("fell") and select(2, lines():gsub("landed", "")) == 4, "rename changes every place")
  vim.api.nvim_win_set_cursor(0, { find("(true (landed ?s))") })
  vim.cmd("normal! 8l")
  local places = request("textDocument/definition")
  expect(#places == 1 and places[1].range.start.line == (find("(next (landed") - 1), "definition leads to the rule", places)
  local at = find("(<= terminal (true over))")
  vim.api.nvim_buf_set_lines(0, at - 1, at, false, { "(<=   terminal     (true over))" })
  vim.lsp.buf.format({ timeout_ms = 5000 })
  expect(lines():find("(<= terminal (true over))", 1, true), "format removes blanks")
  vim.wait(100)

  -- Three rounds, back and forth, in the split.
  local source = vim.api.nvim_get_current_buf()
  vim.cmd("Percept step")
  local stepper = require("percept.stepper")
  wait(function() local it = stepper.of(source) return it and it.page end, "the split")
  local split = stepper.of(source)
  local window = vim.fn.bufwinid(split.buffer)
  vim.api.nvim_set_current_win(window)
  local function press(text)
    vim.api.nvim_win_set_cursor(0, { find(text), 0 })
    vim.api.nvim_feedkeys(vim.keycode("<CR>"), "x", false)
  end
  expect(lines():find("Round 0 of 0"), "the split shows the start", lines())
  press("(toss tails)")
  wait(function() return lines():find("Round 1 of 1") end, "round 1")
  press("(say heads)")
  wait(function() return lines():find("Round 2 of 2") end, "round 2")
  expect(lines():find("the match is over"), "the match is over", lines())
  vim.api.nvim_feedkeys("h", "x", false)
  wait(function() return lines():find("Round 1 of 2") end, "one round back")
  ok("back and forth")

  -- The information set and the verdict.
  vim.api.nvim_feedkeys("k", "x", false)
  wait(function() return lines():find("2 histories fit") end, "the information set")
  ok("the guesser cannot tell two histories apart")
  shot("nvim-knowledge")
  vim.api.nvim_feedkeys("v", "x", false)
  wait(function() return lines():find("does not know its goal after round 2") end, "the verdict")
  ok("the verdict has its witness")
  shot("nvim-verdict")

  vim.api.nvim_feedkeys("p", "x", false)
  wait(function() return lines():find("✗ refuted after 2 rounds", 1, true) end, "the proof")
  ok("every match is judged")
  shot("nvim-proof")

  -- Both histories as boards, and the repairs.
  press("  [ show both as boards ]")
  wait(function() return lines():find("after round 2 of 2   < and >", 1, true) end, "the pair")
  vim.api.nvim_feedkeys("<", "x", false)
  wait(function() return lines():find("after round 1 of 2   < and >", 1, true) end, "the pair one round before")
  ok("two histories side by side, round by round")
  press("  [ what would guesser have to see? ]")
  wait(function() return lines():find("+ Tell guesser ", 1, true) end, "the repairs")
  ok("a repair is proposed")
  shot("nvim-repair")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, 6, false)) do
    expect(vim.api.nvim_strwidth(line) <= vim.api.nvim_win_get_width(0), "the keys fit into the window", line)
  end
  local before = vim.api.nvim_buf_get_lines(source, 0, -1, false)
  press("+ Tell guesser ")
  wait(function() return table.concat(vim.api.nvim_buf_get_lines(source, 0, -1, false), "\n"):find("(sees guesser", 1, true) end, "the lines")
  vim.api.nvim_set_current_win(window)
  wait(function() return not lines():find("✗ refuted after 2 rounds", 1, true) and lines():find("✓", 1, true) end, "the proof after the insertion")
  ok("a repair is inserted, and then it is known")
  vim.api.nvim_buf_set_lines(source, 0, -1, false, before)

  -- It follows the text: another way to end the match.
  vim.api.nvim_feedkeys("s", "x", false)
  wait(function() return lines():find("\nState") end, "the state")
  shot("nvim-state")
  -- Asks by its name for an atom that does not hold.
  local input = vim.ui.input
  vim.ui.input = function(_, answer) answer("(landed heads)") end
  vim.api.nvim_feedkeys("w", "x", false)
  wait(function() return lines():find("Why not (landed heads)", 1, true) end, "why not")
  expect(lines():find("✗ (does random (toss heads))", 1, true), "an atom that does not hold is explained", lines())
  vim.ui.input = input
  shot("nvim-why-not")
  press("(landed tails)")
  wait(function() return lines():find("Why (landed tails)", 1, true) end, "the reason")
  expect(lines():find("✓ (does random (toss tails))", 1, true), "a fact says why it holds", lines())
  shot("nvim-why")
  press("by (<= (next (landed")
  wait(function() return vim.api.nvim_get_current_buf() == source end, "the jump")
  expect(vim.api.nvim_get_current_line():find("(next (landed", 1, true), "the reason leads to its rule", vim.api.nvim_get_current_line())
  local rule = find("(<= terminal (true over))")
  vim.api.nvim_buf_set_lines(0, rule - 1, rule, false, { "(<= terminal (true (landed ?s)))" })
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = source })
  wait(function()
    return table.concat(vim.api.nvim_buf_get_lines(split.buffer, 0, -1, false), "\n"):find("round 2 no longer fits", 1, true)
  end, "the replay on the new rules")
  ok("the split follows the text")

  -- A match from the guesser's seat, to its end.
  -- Without a percept all roles would see every move.
  vim.api.nvim_buf_set_lines(0, rule - 1, rule, false,
    { "(<= terminal (true over))", "(<= (sees guesser (said ?s)) (does guesser (say ?s)))" })
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = source })
  local select = vim.ui.select
  vim.ui.select = function(items, _, answer) answer(items[1]) end
  vim.cmd("Percept play")
  wait(function() return lines():find("You can only noop", 1, true) end, "the first turn")
  expect(not lines():find("True state", 1, true), "the true state is not shown during the match")
  vim.api.nvim_feedkeys("r", "x", false)
  wait(function() return lines():find("after round 1", 1, true) and lines():find("It is your turn", 1, true) end, "the second turn")
  shot("nvim-play")
  press("  ○ (say heads)")
  wait(function() return lines():find("True state", 1, true) end, "the end")
  vim.ui.select = select
  wait(function() return lines():find("Knowledge of guesser after round 2", 1, true) end, "the beliefs beside the true state")
  ok("the true state is shown beside the beliefs")
  shot("nvim-truth")
  vim.api.nvim_feedkeys("s", "x", false)
  vim.cmd("close")

  -- The coverage of random matches, in the margin.
  vim.api.nvim_set_current_buf(source)
  vim.cmd("Percept coverage")
  wait(function() return vim.b.percept_coverage end, "the counts")
  ok("counts beside the code")
  vim.cmd("Percept coverage")
  expect(not vim.b.percept_coverage, "and away with them")
  expect(vim.list_contains(vim.fn.getcompletion("percept-comm", "help"), "percept-commands"), "the help file has its tags")
  vim.cmd("checkhealth percept")
  expect(lines():find("the server runs"), "checkhealth is content", lines())
end

-- A table for people: its links and its state, and a new one after a change of the rules.
local function playtest()
  vim.cmd("only")
  vim.cmd.edit("coin.kif")
  local source = vim.api.nvim_get_current_buf()
  vim.cmd("Percept playtest --seed 1")
  wait(function() return lines():find("match 1 has begun", 1, true) end, "a table")
  shot("nvim-playtest")
  local links = {}
  for link in lines():gmatch("http://127%.0%.0%.1:%d+/#%x+") do
    table.insert(links, link)
  end
  expect(#links >= 2, "a link for each seat and for watchers", lines())
  local row = find("http://")
  vim.api.nvim_win_set_cursor(0, { row, 0 })
  vim.fn.maparg("y", "n", false, true).callback()
  expect(vim.fn.getreg('"') == links[1], "a link is copied", vim.fn.getreg('"'))
  local split = vim.api.nvim_get_current_win()
  vim.api.nvim_set_current_win(vim.fn.bufwinid(source))
  vim.api.nvim_buf_set_lines(source, -1, -1, false, { "; changed" })
  vim.cmd("silent write")
  vim.api.nvim_set_current_win(split)
  expect(lines():find("The rules have changed since. n:", 1, true), "a change of the rules is noticed", lines())
  vim.fn.maparg("n", "n", false, true).callback()
  wait(function() return lines():find("match 1 has begun", 1, true) end, "a new table")
  expect(not lines():find(links[1], 1, true) and not lines():find("changed since", 1, true), "a new table with the changed rules", lines())
  local port = tonumber(lines():match("127%.0%.0%.1:(%d+)"))
  vim.fn.maparg("q", "n", false, true).callback()
  local refused = false
  wait(function()
    local tcp = vim.uv.new_tcp()
    tcp:connect("127.0.0.1", port, function(problem) refused = problem ~= nil tcp:close() end)
    vim.wait(100)
    return refused
  end, "the end of the server")
  ok("the table ends with its split")
end

-- A large game: the work is shown above the page, and stopped.
local function large()
  local folder = vim.fs.normalize(vim.env.PLUGIN .. "/../../games/battleship")
  vim.cmd("only")
  vim.cmd.edit(folder .. "/battleship-3-6.pog")
  local source = vim.api.nvim_get_current_buf()
  wait(function() return #vim.lsp.get_clients({ bufnr = source, name = "percept" }) == 1 end, "the server for the large game")
  vim.cmd("Percept step")
  local stepper = require("percept.stepper")
  wait(function() local it = stepper.of(source) return it and it.page end, "the large game")
  expect(lines():find("c01", 1, true), "a board of ships", lines())
  for round = 1, 14 do
    vim.api.nvim_feedkeys("r", "x", false)
    wait(function() return lines():find(("Round %d of %d"):format(round, round), 1, true) end, "round " .. round)
  end
  shot("nvim-board")
  -- Ships are placed secretly; both players perceive the shots.
  expect(lines():find("perceived .*  %(public%)"), "percepts of all roles are public", lines())
  vim.api.nvim_feedkeys("k", "x", false)
  wait(function() return lines():find("How likely", 1, true) end, "its beliefs")
  wait(function() return not vim.wo.winbar:find("stops", 1, true) end, "all of it")
  shot("nvim-beliefs")
  vim.api.nvim_feedkeys("p", "x", false)
  wait(function() return vim.wo.winbar:find("Proving.*<C%-c> stops") end, "a word about the work")
  ok("long work shows a message: " .. vim.wo.winbar:gsub("%%#%w+#%s*", ""))
  local pressed = vim.uv.hrtime()
  -- Fed to a script, the key would interrupt the script.
  vim.fn.maparg("<C-c>", "n", false, true).callback()
  wait(function() return lines():find("was stopped", 1, true) end, "the end of the work")
  expect(vim.wo.winbar == "", "and it is stopped, " .. math.floor((vim.uv.hrtime() - pressed) / 1e6) .. " ms later", vim.wo.winbar)
end

local done, problem = xpcall(function() main() playtest() large() end, debug.traceback)
if not done then
  fail(problem)
end
for _, client in ipairs(vim.lsp.get_clients()) do
  client:stop(true)
end
vim.cmd("qall!")
