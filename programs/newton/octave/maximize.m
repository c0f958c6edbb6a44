% One coefficient after the other: listing 1 of Aldrich (2014).
function [argmax, steps] = maximize(n, a_low, spacing, b, x0, tolerance, iteration_cap)
  % The chapter's a_low:spacing:a_high can leave out the last coefficient: it does at n = 2.
  a = a_low + (0:n - 1) * spacing;

  argmax = zeros(n, 1);
  steps = zeros(n, 1, 'uint8');
  for i = 1:n
    [argmax(i), steps(i)] = max_poly(x0, a(i), b, tolerance, iteration_cap);
  end
end
