% The highest points of many parabolas by the chapter's Matlab program, maximize.m and max_poly.m.

source(argv(){1});

function result = solve_problem(problem)
  [result.argmax, result.steps] = ...
    maximize(problem.n, problem.a_low, problem.spacing, problem.b, problem.x0, ...
             problem.tolerance, problem.iteration_cap);
end

function write_result(result, folder)
  write_array(folder, "argmax", result.argmax, "double");
  write_array(folder, "steps", result.steps, "uint8");
end

serve(@numbers_of, @solve_problem, @write_result);
