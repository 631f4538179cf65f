import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Runs each program in a namespace and an environment of its own. Prints what it printed, or its error, as JSON. */
const RUN_EACH = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    job = json.loads(line)
    os.environ.clear()
    os.environ.update(job["env"])
    output = io.StringIO()
    answer = {}
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(job["source"], "sample.py", "exec"), {"__name__": "__main__"})
        answer["printed"] = output.getvalue()
    except BaseException:
        answer["error"] = traceback.format_exc()
    print(json.dumps(answer), flush=True)
`;

/** A Python that runs one program after another, because each start takes longer than a program. */
export function openPython() {
  const child = spawn('python3', ['-c', RUN_EACH], { stdio: ['pipe', 'pipe', 'inherit'] });
  // without Python, the tests that need it are skipped
  const ended = once(child, 'exit').catch(() => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    /** Runs a program in the current environment. Rejects with its error. @returns what it prints */
    printedBy: async (source: string): Promise<string> => {
      child.stdin.write(`${JSON.stringify({ source, env: process.env })}\n`);
      const { printed, error } = JSON.parse((await lines.next()).value);
      if (error !== undefined) throw new Error(error);
      return printed;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
