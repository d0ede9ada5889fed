import styles from './swatches.module.css'

const kinds = ['one', 'two', 'three', 'four', 'five', 'six'] as const

/** The class of a series: a color, and a pattern for users who can't tell colors apart. */
export const swatchOf = (index: number): string => styles[kinds[index % kinds.length] ?? 'one'] ?? ''

/** The class of failures. */
export const failedSwatch = (): string => styles['failed'] ?? ''
