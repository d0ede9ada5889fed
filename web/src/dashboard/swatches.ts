import styles from './swatches.module.css'

const kinds = ['one', 'two', 'three', 'four', 'five', 'six'] as const

/** The class of a series: a colour and, for those who do not tell colours apart, a pattern. */
export const swatchOf = (index: number): string => styles[kinds[index % kinds.length] ?? 'one'] ?? ''

/** The class of what failed. */
export const failedSwatch = (): string => styles['failed'] ?? ''
