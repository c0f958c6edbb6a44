% The conversation of macrobench-program/1 for programs in GNU Octave: see docs/programs.md.

1;  % a script that defines functions

% problem.txt as a struct; what is no number is a word.
function numbers = numbers_of(folder)
  numbers = struct();
  lines = regexp(fileread(fullfile(folder, "problem.txt")), '^(\S+) (.*)$', ...
                 "tokens", "lineanchors", "dotexceptnewline");
  for line = lines
    [name, word] = line{1}{:};
    numbers.(name) = str2double(word);
    if isnan(numbers.(name))
      numbers.(name) = word;
    end
  end
end

function values = read_array(folder, name, size)
  file = fopen(fullfile(folder, [name ".bin"]), "r", "ieee-le");
  values = fread(file, size, "double");
  fclose(file);
  if numel(values) != size
    error("%s has another size", name);
  end
end

function write_array(folder, name, values, type)
  file = fopen(fullfile(folder, [name ".bin"]), "w", "ieee-le");
  fwrite(file, values, type);
  fclose(file);
end

% Those fields of a struct, into result.txt.
function write_numbers(folder, numbers, names)
  file = fopen(fullfile(folder, "result.txt"), "w");
  for name = names
    fprintf(file, "%s %.17g\n", name{1}, numbers.(name{1}));
  end
  fclose(file);
end

% What follows the ID.
function folder = folder_in(line)
  folder = regexprep(line, '^\S+ \S+ ', "");
end

function answer(words)
  puts(["mb1 " words "\n"]);
  fflush(stdout);
end

% Answers until the end.
%
%   load_problem(folder)           the problem, in whatever form solve_problem takes
%   solve_problem(problem)         the result
%   write_result(result, folder)
function serve(load_problem, solve_problem, write_result)
  problems = results = struct();
  while true
    try
      line = input("", "s");  % fgetl would wait for the line after it too
    catch
      return  % there is no more
    end
    words = strsplit(line, " ");
    try
      switch words{1}
        case "hello"
          answer(["hello GNU Octave " version()]);
        case "start"
          answer("start CPU, 1 thread");
        case "ping"
          answer(line);
        case "load"
          if numfields(results) > 0  % those were solved and written
            problems = results = struct();
          end
          problems.(words{2}) = load_problem(folder_in(line));
          answer(["load " words{2}]);
        case "solve"
          for id = words(2:end)
            results.(id{1}) = solve_problem(problems.(id{1}));
          end
          answer(line);
        case "write"
          write_result(results.(words{2}), folder_in(line));
          answer(["write " words{2}]);
        case "bye"
          answer(line);
          return
        otherwise
          error("unknown command");
      end
    catch problem
      answer(["error " strrep(problem.message, "\n", " ")]);
    end
  end
end
