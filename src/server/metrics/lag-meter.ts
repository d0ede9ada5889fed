import type { Histogram } from './registry.ts'

/** Measuring costs a little for each of very many frames; one in so many tells enough. */
const every = 16

/** Notes how old the first entry of a frame is when it goes to a socket: the time from being told to us, through being saved. */
export function createLagMeter(emitLag: Histogram): (frame: string, now: number) => void {
  let frames = 0
  return (frame, now) => {
    if (frames++ % every !== 0) return
    const [, at] = /"at":(\d+)/.exec(frame) ?? []
    if (at !== undefined) emitLag.observe(Math.max(0, now - Number(at)) / 1000)
  }
}
