/** Wakes one who waits; rung while nobody waits, it wakes the next one at once. */
export interface Bell {
  ring(): void;
  /** Resolves when it is rung, or after so many milliseconds. */
  wait(longestMs: number): Promise<void>;
}

export function newBell(): Bell {
  let isRung = false;
  let wake = () => {};
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    wait: async (longestMs) => {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timeout = setTimeout(resolve, longestMs);
          wake = () => {
            clearTimeout(timeout);
            resolve();
          };
        });
      }
      isRung = false;
    },
  };
}
