% Where a x^2 + b x + c is highest, by Newton's method: listing 2 of Aldrich (2014).
function [x, steps] = max_poly(x0, a, b, tolerance, iteration_cap)
  x = x0;
  difference = tolerance + 1;
  steps = 0;
  while difference > tolerance && steps < iteration_cap
    first_derivative = 2 * a * x + b;
    second_derivative = 2 * a;
    x_new = x - first_derivative / second_derivative;
    difference = abs(x_new - x);
    x = x_new;
    steps += 1;
  end
  if !(difference <= tolerance)
    x = NaN;
  end
end
