import type { Histogram } from './registry.ts'

/** Measuring every frame would cost too much, so only a sample is measured. */
const every = 16

/** Records the age of the first entry of a frame when it is written to a socket: from the agent's output, through saving. */
export function createLagMeter(emitLag: Histogram): (frame: string, now: number) => void {
  let frames = 0
  return (frame, now) => {
    if (frames++ % every !== 0) return
    const [, at] = /"at":(\d+)/.exec(frame) ?? []
    if (at !== undefined) emitLag.observe(Math.max(0, now - Number(at)) / 1000)
  }
}
