/** How a line is displayed: as a tree, formatted, or byte for byte. */
export type Form = keyof typeof forms

/** Labels for the formats. */
export const forms = { tree: 'Tree', spread: 'Formatted', exact: 'Original' } as const
