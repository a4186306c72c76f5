/** Styles that modules of the window load, which tests in Node check, too; Vite's types know them in the window itself. */
declare module '*.css';
