% Value function iteration for the RBC model, after the Matlab program of Aldrich et al.: the loops of
% the C++ (serial.cpp), the expectation over the whole feasible sub-grid for every state.
%
% K (nk x 1), Z (nz x 1), P (nz x nz), V0 (1 x nz): the grids and the start.
% V (nk x nz), policy (nk x nz, from 0), iterations, difference: the solution.
function [V, policy, iterations, difference] = vfi(K, Z, P, V0, calibration, options)
  nk = numel(K);
  nz = numel(Z);
  beta = calibration.beta;
  gamma = calibration.gamma;
  V0 = repmat(V0, nk, 1);
  V = zeros(nk, nz);
  policy = ones(nk, nz);

  iterations = 0;
  difference = Inf;
  while difference >= options.tolerance && iterations < options.iteration_cap
    maximise_now = !options.howard || iterations < 3 || mod(iterations, 20) == 0;
    for i = 1:nk
      for j = 1:nz
        available = Z(j) * K(i)^calibration.alpha + (1 - calibration.delta) * K(i);
        if !maximise_now
          kept = policy(i, j);
          V(i, j) = utility(available - K(kept), gamma) + beta * (V0(kept, :) * P(j, :)');
          continue
        end
        first = 1;
        if options.monotone && i > 1
          first = policy(i - 1, j);
        end
        last = lookup(K, available);
        expectation = V0(first:last, :) * P(j, :)';
        if options.howard
          w = utility(available - K(first:last), gamma) + beta * expectation;
          [V(i, j), best] = max(w);
        else
          [V(i, j), best] = binary_search(K(first:last), expectation, available, beta, gamma);
        end
        policy(i, j) = first + best - 1;
      end
    end
    difference = max(abs(V(:) - V0(:)));
    V0 = V;
    iterations += 1;
  end
  policy -= 1;
end

function u = utility(c, gamma)
  if gamma == 1
    u = log(c);
  else
    u = c .^ (1 - gamma) / (1 - gamma);
  end
end

% Heer and Maussner (2005, p. 26): bisect until three points are left; ties go low.
function [value, index] = binary_search(K, expectation, available, beta, gamma)
  low = 1;
  high = numel(K);
  while high - low > 2
    middle = floor((low + high) / 2);
    w = utility(available - K(middle:middle + 1), gamma) + beta * expectation(middle:middle + 1);
    if w(2) > w(1)
      low = middle;
    else
      high = middle + 1;
    end
  end
  w = utility(available - K(low:high), gamma) + beta * expectation(low:high);
  [value, index] = max(w);
  index += low - 1;
end
