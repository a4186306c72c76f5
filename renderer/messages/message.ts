/** The form of a text of the window. Pure. */

/** A sentence, or its plural forms; `count` then chooses by the language's rules. */
export type Message = string | { readonly one: string; readonly other: string };
