const syllables = 'ta re mi son ver li ko ne da pu ster ing al con er fo ra tion be mo'.split(' ')

/** Text of made-up words, some far more frequent than others, as in any language. */
export function createWords(random: () => number, size = 1500): (count: number) => string {
  const syllable = () => syllables[Math.floor(random() * syllables.length)] ?? ''
  const words = Array.from({ length: size }, () =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, syllable).join(''),
  )
  // The square makes the first words frequent and the last ones rare.
  return count => Array.from({ length: count }, () => words[Math.floor(random() ** 2 * size)]).join(' ')
}
