# Savings over a life, from the last age to the first: the loops of C++, in Julia, on threads.
# Untried: see programs/README.md. The conversation, macrobench-program/1, is at the end: see
# docs/programs.md.

struct Problem
    x::Vector{Float64}
    P::Matrix{Float64}          # P[j, i]: of shock j after shock i
    available::Matrix{Float64}  # nx x ne
    beta::Float64
    sigma::Float64
    T::Int
    per_choice::Bool
end

utility(c, sigma) = sigma == 1 ? log(c) : c^(1 - sigma) / (1 - sigma)

# `expected` is beta times the expectation of a choice (row) at a shock (column).
function find_values!(V, problem, expected)
    (; x, available, sigma) = problem
    Threads.@threads for state in CartesianIndices(V)
        savings, shock = Tuple(state)
        best = -Inf
        for choice in eachindex(x)
            consumption = available[savings, shock] - x[choice]
            consumption <= 0 && break  # savings rise, and what is left to consume falls
            best = max(best, utility(consumption, sigma) + expected[choice, shock])
        end
        V[state] = best
    end
end

# The loops of Fernandez-Villaverde and Zarruk (2018): each state adds up the expectations of all
# choices itself.
function find_values_per_choice!(V, problem, next_V, is_last)
    (; x, P, available, beta, sigma) = problem
    Threads.@threads for state in CartesianIndices(V)
        savings, shock = Tuple(state)
        best = -Inf
        for choice in eachindex(x)
            expected = 0.0
            if !is_last
                for after in axes(P, 1)
                    expected += P[after, shock] * next_V[choice, after]
                end
            end
            consumption = available[savings, shock] - x[choice]
            if consumption > 0
                best = max(best, utility(consumption, sigma) + beta * expected)
            end
        end
        V[state] = best
    end
end

function solve(problem::Problem)
    V = zeros(size(problem.available)..., problem.T)
    next_V = zeros(size(problem.available))  # nothing is expected after the last age
    for age in problem.T:-1:1
        its = view(V, :, :, age)
        if problem.per_choice
            find_values_per_choice!(its, problem, next_V, age == problem.T)
        else
            find_values!(its, problem, problem.beta * (next_V * problem.P))
        end
        next_V = V[:, :, age]
    end
    return V
end

function read_array(folder, name, size)
    bytes = read(joinpath(folder, name * ".bin"))
    length(bytes) == 8size || error("$name has another size")
    return collect(ltoh.(reinterpret(Float64, bytes)))
end

function load(folder)
    lines = eachline(joinpath(folder, "problem.txt"))
    words = Dict{String,String}(Tuple(split(line, ' '; limit = 2)) for line in lines)
    nx, ne = parse(Int, words["nx"]), parse(Int, words["ne"])
    return Problem(read_array(folder, "x", nx), reshape(read_array(folder, "P", ne^2), ne, ne),
                   reshape(read_array(folder, "available", nx * ne), nx, ne),
                   parse(Float64, words["beta"]), parse(Float64, words["sigma"]),
                   parse(Int, words["T"]), words["expectation"] == "per_choice")
end

function answer(line, problems, results)
    words = split(line, ' '; limit = 3)
    if words[1] == "hello"
        return "hello Julia $VERSION"
    elseif words[1] == "start"
        return "start CPU, $(Threads.nthreads()) threads"
    elseif words[1] in ("ping", "bye")
        return line
    elseif words[1] == "load"
        isempty(results) || (empty!(problems); empty!(results))
        problems[words[2]] = load(words[3])
        return "load $(words[2])"
    elseif words[1] == "solve"
        for id in split(line, ' ')[2:end]
            results[id] = solve(problems[id])
        end
        return line
    elseif words[1] == "write"
        write(joinpath(words[3], "V.bin"), htol.(results[words[2]]))
        return "write $(words[2])"
    end
    return "error unknown command"
end

function main()
    problems, results = Dict{String,Problem}(), Dict{String,Array{Float64,3}}()
    for line in eachline(stdin)
        said = try
            answer(line, problems, results)
        catch error
            "error " * replace(sprint(showerror, error), '\n' => ' ')
        end
        println("mb1 ", said)
        flush(stdout)
        line == "bye" && return
    end
end

main()
