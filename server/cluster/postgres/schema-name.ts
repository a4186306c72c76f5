/** Where all tables of ours are in a database, beside whatever else it has. Apart, so that naming it loads nothing. */
export const schemaName = 'framewright';
