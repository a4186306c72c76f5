/** Styles that modules of the window load: its own check knows them from Vite, which the tests in Node do without. */
declare module '*.css';
