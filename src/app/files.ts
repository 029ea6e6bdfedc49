/** The store, inside the state folder. */
export const databaseFile = "signoff.db";

/** Under this key the store keeps the id that marks this bot's processes, so that two bots never end each other's. */
export const INSTANCE_KEY = "instance";
