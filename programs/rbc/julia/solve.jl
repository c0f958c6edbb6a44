# The RBC model by value function iteration: the loops of the serial C++, in Julia.
# Untried: see programs/README.md. The conversation, macrobench-program/1, is at the end: see
# docs/programs.md.

struct Problem
    words::Dict{String,String}
    K::Vector{Float64}
    Z::Vector{Float64}
    P::Matrix{Float64}   # P[l, j]: of Z_l after Z_j
    V0::Vector{Float64}
end

utility(c, gamma) = gamma == 1 ? log(c) : c^(1 - gamma) / (1 - gamma)

# Heer and Maussner (2005, p. 26): bisects until three choices are left.
function bisected(value, low, high)
    while high - low > 2
        middle = (low + high) ÷ 2
        if value(middle + 1) > value(middle)
            low = middle
        else
            high = middle + 1
        end
    end
    return low, high
end

# Upwards from the choice at the capital below, until a choice is no better than the one before it;
# at the states of one productivity.
function walk!(V, policy, available, K, expected, gamma)
    best = 1
    @inbounds for i in eachindex(K)
        value(choice) = utility(available[i] - K[choice], gamma) + expected[choice]
        most = value(best)
        while best < length(K) && K[best+1] <= available[i]
            its = value(best + 1)
            its > most || break
            best, most = best + 1, its
        end
        V[i], policy[i] = most, best
    end
end

# A pass over all states by bisection, by a search of all choices, or with the policy that there is.
function search!(V, policy, K, Z, expected, gamma, alpha, delta, howard, maximise)
    for j in eachindex(Z), i in eachindex(K)
        available = Z[j] * K[i]^alpha + (1 - delta) * K[i]
        value(choice) = utility(available - K[choice], gamma) + expected[choice, j]
        if maximise
            last = searchsortedlast(K, available)
            low, high = howard ? (1, last) : bisected(value, 1, last)
            best, most = low, value(low)
            for choice in low+1:high
                its = value(choice)
                if its > most
                    best, most = choice, its
                end
            end
            V[i, j] = most
            policy[i, j] = best
        else
            V[i, j] = value(policy[i, j])
        end
    end
end

function solve(problem::Problem)
    number(name) = parse(Float64, problem.words[name])
    return solve(problem.K, problem.Z, problem.P, problem.V0, number("beta"), number("gamma"),
                 number("alpha"), number("delta"), number("tolerance"),
                 Int(number("iteration_cap")), problem.words["maximizer"])
end

function solve(K, Z, P, start, beta, gamma, alpha, delta, tolerance, cap, maximizer)
    nk, nz = length(K), length(Z)
    howard, walks = maximizer == "grid_howard", maximizer == "first_decline"
    # A walk takes few steps at a state: the power of its capital is computed once for all iterations.
    resources = walks ? K .^ alpha .* Z' .+ (1 - delta) .* K : zeros(0, 0)
    V0 = repeat(start', nk, 1)
    V = similar(V0)
    policy = ones(Int32, nk, nz)
    iterations, difference = 0, Inf
    while difference >= tolerance && iterations < cap
        maximise = !howard || iterations < 3 || iterations % 20 == 0
        expected = beta * (V0 * P)
        if walks
            for j in 1:nz
                walk!(view(V, :, j), view(policy, :, j), view(resources, :, j), K,
                      view(expected, :, j), gamma)
            end
        else
            search!(V, policy, K, Z, expected, gamma, alpha, delta, howard, maximise)
        end
        difference = maximum(abs.(V .- V0))
        V0, V = V, V0
        iterations += 1
    end
    return (V = V0, policy = policy, iterations = iterations, difference = difference,
            converged = difference < tolerance)
end

function read_array(folder, name, size)
    bytes = read(joinpath(folder, name * ".bin"))
    length(bytes) == 8size || error("$name has another size")
    return collect(ltoh.(reinterpret(Float64, bytes)))
end

function load(folder)
    lines = eachline(joinpath(folder, "problem.txt"))
    words = Dict{String,String}(Tuple(split(line, ' '; limit = 2)) for line in lines)
    nk, nz = parse(Int, words["nk"]), parse(Int, words["nz"])
    return Problem(words, read_array(folder, "K", nk), read_array(folder, "Z", nz),
                   reshape(read_array(folder, "P", nz^2), nz, nz), read_array(folder, "V0", nz))
end

function write_result(result, folder)
    write(joinpath(folder, "V.bin"), htol.(result.V))
    write(joinpath(folder, "policy.bin"), htol.(result.policy .- Int32(1)))
    open(joinpath(folder, "result.txt"), "w") do file
        println(file, "iterations ", result.iterations)
        println(file, "difference ", result.difference)
        println(file, "converged ", Int(result.converged))
    end
end

function answer(line, problems, results)
    words = split(line, ' '; limit = 3)
    if words[1] == "hello"
        return "hello Julia $VERSION"
    elseif words[1] == "start"
        return "start CPU, $(Threads.nthreads()) thread"
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
        write_result(results[words[2]], words[3])
        return "write $(words[2])"
    end
    return "error unknown command"
end

function main()
    problems, results = Dict{String,Any}(), Dict{String,Any}()
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
