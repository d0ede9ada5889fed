const longest = 8 * 1024 * 1024
const rule = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z\d+/]+={0,2}$/

/** Whether an address holds a picture itself, of a kind that is nothing but a picture (no svg). */
export const isInlineImage = (address: string): boolean => address.length <= longest && rule.test(address)
