% The RBC model by the papers' Matlab program, vfi.m.

source(argv(){1});

function problem = load_problem(folder)
  problem = numbers_of(folder);
  problem.K = read_array(folder, "K", problem.nk);
  problem.Z = read_array(folder, "Z", problem.nz);
  problem.P = reshape(read_array(folder, "P", problem.nz^2), problem.nz, problem.nz)';
  problem.V0 = read_array(folder, "V0", problem.nz)';
  problem.howard = strcmp(problem.maximizer, "grid_howard");
end

function result = solve_problem(problem)
  [result.V, result.policy, result.iterations, result.difference] = ...
    vfi(problem.K, problem.Z, problem.P, problem.V0, problem, problem);
  result.converged = result.difference < problem.tolerance;
end

function write_result(result, folder)
  write_array(folder, "V", result.V, "double");
  write_array(folder, "policy", result.policy, "int32");
  write_numbers(folder, result, {"iterations", "difference", "converged"});
end

serve(@load_problem, @solve_problem, @write_result);
