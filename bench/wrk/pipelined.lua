-- Sixteen requests in each write.
init = function(arguments)
    together = string.rep(wrk.format("GET", "/"), 16)
end
request = function()
    return together
end
