// The RBC model by value function iteration: the loops of the serial C++, in Java.
// The conversation, macrobench-program/1, is at the end: see docs/programs.md.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

public final class Solve {
  record Problem(Map<String, String> words, double[] K, double[] Z, double[] P, double[] V0) {
    double number(String name) {
      return Double.parseDouble(words.get(name));
    }
  }

  record Solution(double[] V, int[] policy, int iterations, double difference, boolean converged) {}

  static double utility(double consumption, double gamma) {
    return gamma == 1 ? Math.log(consumption) : Math.pow(consumption, 1 - gamma) / (1 - gamma);
  }

  /** What a choice of capital is worth at one state. */
  static double value(double resources, double[] K, double[] expected, double gamma, int choice) {
    return utility(resources - K[choice], gamma) + expected[choice];
  }

  /**
   * Upwards from the choice at the capital below, until a choice is no better than the one before it;
   * at the states of one productivity, which begin at `first`.
   */
  static void walk(double[] available, double[] K, double[] expected, double gamma, int first,
      double[] V, int[] policy) {
    int best = 0;
    for (int i = 0; i < K.length; ++i) {
      double resources = available[first + i];
      double most = value(resources, K, expected, gamma, best);
      for (int choice = best + 1; choice < K.length && K[choice] <= resources; ++choice) {
        double its = value(resources, K, expected, gamma, choice);
        if (its <= most) break;
        best = choice;
        most = its;
      }
      V[first + i] = most;
      policy[first + i] = best;
    }
  }

  /** What there is to consume and to save at each state. */
  static double[] resources(double[] K, double[] Z, double alpha, double delta) {
    double[] all = new double[K.length * Z.length];
    for (int j = 0; j < Z.length; ++j) {
      for (int i = 0; i < K.length; ++i) {
        all[j * K.length + i] = Z[j] * Math.pow(K[i], alpha) + (1 - delta) * K[i];
      }
    }
    return all;
  }

  static Solution solve(Problem problem) {
    double beta = problem.number("beta"), gamma = problem.number("gamma");
    double alpha = problem.number("alpha"), delta = problem.number("delta");
    double tolerance = problem.number("tolerance");
    int cap = (int) problem.number("iteration_cap");
    boolean howard = problem.words.get("maximizer").equals("grid_howard");
    boolean walks = problem.words.get("maximizer").equals("first_decline");
    double[] K = problem.K, Z = problem.Z;
    int nk = K.length, nz = Z.length;
    double[] V0 = new double[nk * nz], V = new double[nk * nz], expected = new double[nk];
    for (int j = 0; j < nz; ++j) Arrays.fill(V0, j * nk, (j + 1) * nk, problem.V0[j]);
    int[] policy = new int[nk * nz];
    // A walk takes few steps at a state: the power of its capital is computed once for all iterations.
    double[] available = walks ? resources(K, Z, alpha, delta) : null;
    int iterations = 0;
    double difference = Double.POSITIVE_INFINITY;
    while (difference >= tolerance && iterations < cap) {
      boolean maximise = !howard || iterations < 3 || iterations % 20 == 0;
      difference = 0;
      for (int j = 0; j < nz; ++j) {
        Arrays.fill(expected, 0);
        for (int l = 0; l < nz; ++l) {
          double weight = beta * problem.P[j * nz + l];
          for (int i = 0; i < nk; ++i) expected[i] += weight * V0[l * nk + i];
        }
        if (walks) {
          walk(available, K, expected, gamma, j * nk, V, policy);
          for (int state = j * nk; state < (j + 1) * nk; ++state) {
            difference = Math.max(difference, Math.abs(V[state] - V0[state]));
          }
          continue;
        }
        int last = 0;
        for (int i = 0; i < nk; ++i) {
          int state = j * nk + i;
          double resources = Z[j] * Math.pow(K[i], alpha) + (1 - delta) * K[i];
          if (maximise) {
            // Resources rise in K, and so does the last choice that is feasible.
            while (last + 1 < nk && K[last + 1] <= resources) ++last;
            int low = 0, high = last;
            // Heer and Maussner (2005, p. 26): bisect until three choices are left.
            while (!howard && high - low > 2) {
              int middle = (low + high) / 2;
              boolean rises = value(resources, K, expected, gamma, middle + 1)
                  > value(resources, K, expected, gamma, middle);
              if (rises) low = middle; else high = middle + 1;
            }
            int best = low;
            double most = value(resources, K, expected, gamma, low);
            for (int choice = low + 1; choice <= high; ++choice) {
              double its = value(resources, K, expected, gamma, choice);
              if (its > most) {
                best = choice;
                most = its;
              }
            }
            V[state] = most;
            policy[state] = best;
          } else {
            V[state] = value(resources, K, expected, gamma, policy[state]);
          }
          difference = Math.max(difference, Math.abs(V[state] - V0[state]));
        }
      }
      double[] older = V0;
      V0 = V;
      V = older;
      ++iterations;
    }
    return new Solution(V0, policy, iterations, difference, difference < tolerance);
  }

  static double[] array(String folder, String name, int size) throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of(folder, name + ".bin"));
    if (bytes.length != 8 * size) throw new IOException(name + " has another size");
    double[] values = new double[size];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().get(values);
    return values;
  }

  static Problem load(String folder) throws IOException {
    Map<String, String> words = new HashMap<>();
    for (String line : Files.readAllLines(Path.of(folder, "problem.txt"))) {
      String[] both = line.split(" ", 2);
      words.put(both[0], both[1]);
    }
    int nk = Integer.parseInt(words.get("nk")), nz = Integer.parseInt(words.get("nz"));
    return new Problem(words, array(folder, "K", nk), array(folder, "Z", nz),
        array(folder, "P", nz * nz), array(folder, "V0", nz));
  }

  static void write(Solution result, String folder) throws IOException {
    ByteBuffer V = ByteBuffer.allocate(8 * result.V.length).order(ByteOrder.LITTLE_ENDIAN);
    V.asDoubleBuffer().put(result.V);
    ByteBuffer policy = ByteBuffer.allocate(4 * result.policy.length).order(ByteOrder.LITTLE_ENDIAN);
    policy.asIntBuffer().put(result.policy);
    Files.write(Path.of(folder, "V.bin"), V.array());
    Files.write(Path.of(folder, "policy.bin"), policy.array());
    Files.writeString(Path.of(folder, "result.txt"), "iterations " + result.iterations + "\ndifference "
        + result.difference + "\nconverged " + (result.converged ? 1 : 0) + "\n");
  }

  private final Map<String, Problem> problems = new HashMap<>();
  private final Map<String, Solution> results = new HashMap<>();

  String answer(String line) throws IOException {
    String[] words = line.split(" ", 3);
    switch (words[0]) {
      case "hello":
        return "hello Java " + System.getProperty("java.version");
      case "start":
        return "start CPU, " + Runtime.getRuntime().availableProcessors() + " thread";
      case "ping", "bye":
        return line;
      case "load":
        if (!results.isEmpty()) {
          problems.clear();
          results.clear();
        }
        problems.put(words[1], load(words[2]));
        return "load " + words[1];
      case "solve":
        for (String id : line.substring(6).split(" ")) {
          if (!problems.containsKey(id)) throw new IOException("problem " + id + " was not loaded");
          results.put(id, solve(problems.get(id)));
        }
        return line;
      case "write":
        if (!results.containsKey(words[1])) throw new IOException("it was not solved");
        write(results.get(words[1]), words[2]);
        return "write " + words[1];
      default:
        return "error unknown command";
    }
  }

  public static void main(String[] arguments) throws IOException {
    Solve program = new Solve();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String said;
      try {
        said = program.answer(line);
      } catch (Exception error) {
        said = "error " + error;
      }
      System.out.println("mb1 " + said.replace('\n', ' '));
      System.out.flush();
      if (line.equals("bye")) return;
    }
  }
}
