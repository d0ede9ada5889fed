/** Stands for the user's words before those of an assistant that speaks first. */
export const openingText = '(The conversation begins with the assistant.)'

/** Stands for a conversation in which nothing is said. */
export const emptyText = '(The conversation is empty.)'
