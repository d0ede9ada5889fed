/** The positions of an axis's lines, from zero up; the last is at the top. */
export type Ticks = readonly number[]

/** Round numbers up to at least the maximum: steps of 1, 2 or 5, about as many as requested. */
export function ticksUpTo(most: number, wanted = 4): Ticks {
  if (most <= 0) return [0, 1]
  const rough = most / wanted
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5].find(each => each * power >= rough) ?? 10)
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => round(index * step))
}

const minute = 60_000
const times = [1000, 5000, 15_000, minute, 5 * minute, 15 * minute, 60 * minute, 180 * minute, 720 * minute]

/** The same for milliseconds, in seconds, minutes or hours. */
export function timeTicksUpTo(most: number, wanted = 4): Ticks {
  if (most <= 0) return [0, 1000]
  const day = 1440 * minute
  const step = times.find(each => each * wanted >= most) ?? day * (ticksUpTo(most / day, wanted)[1] ?? 1)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

/** Rounds away floating-point errors. */
const round = (value: number) => Number(value.toPrecision(12))
