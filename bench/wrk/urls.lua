-- Each request has a path, a query and a cookie of its own, as requests of visitors have.
local number = 0
request = function()
    number = number + 1
    return wrk.format("GET", "/page/" .. number .. "?id=" .. number % 997, { ["Cookie"] = "visitor=" .. number })
end
