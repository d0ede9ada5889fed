/** The checks of a long suite, printed line by line. */
export interface Checks {
  readonly check: (isSo: boolean, what: string) => void
  /** Prints the result, and sets the exit code. */
  readonly finish: (all: string) => void
}

/** Begins a list of checks; a suite that takes longer than it may is stopped and has failed. */
export function createChecks(minutes: number): Checks {
  const failures: string[] = []
  let count = 0
  setTimeout(() => {
    console.log(`✗ it took more than ${minutes} minutes`)
    process.exit(1)
  }, minutes * 60_000).unref()
  return {
    check(isSo, what) {
      count += 1
      console.log(`${isSo ? '✓' : '✗'} ${what}`)
      if (!isSo) failures.push(what)
    },
    finish(all) {
      console.log(
        failures.length === 0 ? `${all} (${count} checks)` : `${failures.length} of ${count} failed:`,
      )
      for (const failure of failures) console.log(`  ${failure}`)
      if (failures.length > 0) process.exitCode = 1
    },
  }
}
