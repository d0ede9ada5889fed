import type { Output } from './output.ts'

/** Shows progress, only on a terminal. */
export interface ProgressBar extends Disposable {
  /** `done` goes from 0 to 1. */
  show(done: number): void
}

const everyMs = 50
const longest = 40
const clearLine = '\r\u001b[K'

/** A progress bar on one line, removed when disposed of. */
export function createProgressBar(output: Output, label: string, now: () => number = Date.now): ProgressBar {
  let shownAt = Number.NEGATIVE_INFINITY
  let shown = false
  return {
    show(done) {
      if (!output.isTerminal || now() - shownAt < everyMs) return
      shownAt = now()
      shown = true
      output.write(clearLine + barText(label, done, output.columns))
    },
    [Symbol.dispose]() {
      if (shown) output.write(clearLine)
    },
  }
}

/** The bar as text, no wider than the terminal. */
export function barText(label: string, done: number, columns: number): string {
  const part = Math.min(1, Math.max(0, done))
  const percent = `${Math.floor(part * 100)} %`.padStart(5)
  const room = Math.min(longest, columns - label.length - percent.length - 4)
  if (room < 4) return `${label} ${percent.trim()}`
  const filled = Math.round(part * room)
  return `${label} ${'█'.repeat(filled)}${'░'.repeat(room - filled)} ${percent}`
}
