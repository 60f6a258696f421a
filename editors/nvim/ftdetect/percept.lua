vim.filetype.add({
  extension = {
    kif = "gdl",
    gdl = "gdl",
    hrf = "gdl-infix",
    pog = "pogddl",
    pogddl = "pogddl",
    pddl = "pogddl",
    trace = "percept-trace",
  },
})
