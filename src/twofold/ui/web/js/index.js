export { Keeper, fragment, isGameFile, linked, readGame, removeGame, savedGames, storedGame } from "twofold/keeper.js";
export { BRICK, Tiles, describe, faceValue, inUnits, isTyping, onSwipe } from "twofold/tiles.js";
