/** Milliseconds that a character may take before its input is looked at more closely; one pass takes a tenth of it. */
const harmless = 1 / 16_000
/** Four times the input is four times the work when it is linear, and sixteen times when it is the square. */
const tooMuch = 8
/** How often an input may be tried to find it quick: the first run compiles, and any may be interrupted by other work. */
const tries = 3
/** Processor time is counted in steps of up to 4 ms, so less than this is measured by doing it often. */
const measurable = 40

/**
 * Says how the work grows when the input does, if it grows faster than the input; null when all is well. What is not
 * obviously quick is measured in processor time of this thread, so a busy machine does not change the answer.
 */
export function growthOf(prepare: (length: number) => () => void, length: number): string | null {
  const run = prepare(length)
  for (let count = 0; count < tries; count += 1) {
    const started = performance.now()
    run()
    if (performance.now() - started < harmless * length) return null
  }
  let [small, large] = [0, 0]
  for (let count = 0; count < tries; count += 1) {
    small = costOf(run)
    large = costOf(prepare(length * 4))
    if (small < harmless * length || large < small * tooMuch) return null
  }
  return `4 times the input takes ${(large / small).toFixed(1)} times the work (${large.toFixed(1)} ms for ${length * 4} characters)`
}

/** The processor time of one run, in milliseconds. */
function costOf(run: () => void): number {
  const before = spent()
  for (let count = 1; ; count++) {
    run()
    const used = spent() - before
    if (used >= measurable) return used / count
  }
}

function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
