/** The text of a user message that is put before a conversation in which the assistant's message is the first. */
export const openingText = '(The conversation begins with the assistant.)'

/** The text of a placeholder message in an empty conversation. */
export const emptyText = '(The conversation is empty.)'
