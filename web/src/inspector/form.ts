/** How words are shown: as a tree, spread out over lines, or byte for byte as they came. */
export type Form = keyof typeof forms

/** The forms, in words. */
export const forms = { tree: 'Tree', spread: 'Formatted', exact: 'Original' } as const
