const longest = 8 * 1024 * 1024
const rule = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z\d+/]+={0,2}$/

/** Whether an address is a data URL of a safe image type (no SVG). */
export const isInlineImage = (address: string): boolean => address.length <= longest && rule.test(address)
